"""Pictures: boards, trees and plots as text and SVG."""
