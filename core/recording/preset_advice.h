#pragma once

#include "core/trace/recording_advice.h"

#include <string>
#include <string_view>

namespace helio {

/// Returns the id of the preset that records the data; empty if there is none.
std::string presetFor(RecordableData data);

/// Returns the id of the preset that records what a message says is missing: the message has a command of recordingCommand() or
/// recordEventsCommand(). Empty if it has no such command, or no preset records the data.
/// Cost: searches the message for about 100 commands; a few microseconds.
std::string presetForMessage(std::string_view message);

} // namespace helio
