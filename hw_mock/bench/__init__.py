"""Parts for tests: each is either simulated, or a real one on the desk that a person handles as the test says.

A test asks for actions (`cubes.tilt("n", "S")`, `igloo.shake(7)`, `buttons.press("red")`). Simulated hands perform
them on pseudo-terminals, a capture device or mock pins. With `pytest --hw …` a person is asked to perform them, and
the program under test reads real parts. `hw_mock.pytest_plugin` provides the parts as fixtures.
"""
