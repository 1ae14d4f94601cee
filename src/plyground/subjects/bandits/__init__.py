"""Monte Carlo basics: estimating pi by random points, and multi-armed bandits with their arms, policies and regret."""
