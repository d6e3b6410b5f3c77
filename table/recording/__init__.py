"""Recording a maker's igloos with a person: what the wizard asks and shows, in a terminal or on a page."""
