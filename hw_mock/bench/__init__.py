"""Parts for tests: each is simulated, or the real one on the desk, which a person handles as the test says.

A test asks for acts (`cubes.tilt("n", "S")`, `igloo.shake(7)`, `buttons.press("red")`). Simulated hands do them on
pseudo-terminals, a capture device, mock pins; with `pytest --hw …` a person is asked to, and the program under test
reads real parts. `hw_mock.pytest_plugin` hands them out as fixtures.
"""
