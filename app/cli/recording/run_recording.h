#pragma once

#include "core/recording/recording.h"

#include <vector>

namespace helio {

/// Prints the checks of machines, and the commands that would run.
void printRecordingPlan(const std::vector<RecordedMachine>& machines);

/// Records until the command or the time ends, or the user presses Ctrl+C: the first time stops the recording, the second time kills the
/// tools. Shows the progress on a terminal. For a ring buffer, saves it when the user presses Enter, or when another process asks
/// (requestDumps()).
/// Returns the exit status. On success, sets `result` to what to open: the folder, or the last saved ring buffer.
int runRecording(std::vector<RecordedMachine> machines, bool isQuiet, std::filesystem::path& result);

} // namespace helio
