#pragma once

namespace helio {

/// Runs the program with a window. `argv` may name traces or a session file. Returns the exit status.
int runWindow(int argc, char** argv);

} // namespace helio
