#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::stacktext {

/// Returns the number of counts at the end of each line of folded stacks: 1, or 2 for differential stacks; 0 if the text is not folded
/// stacks. `isWhole` is true if `begin` is the whole text. `isNamedFolded` is true if the file name indicates folded stacks; otherwise at
/// least one stack must have two frames.
int countFoldedColumns(std::string_view begin, bool isWhole, bool isNamedFolded);

/// Reads folded stacks as samples of the event "samples" or, with two columns, of the events "first" and "second". Unreadable lines are
/// reported.
/// Errors: Cancelled soon after a stop request.
Status readFolded(std::string_view text, int columns, SampleRecording& recording, std::stop_token stop);

} // namespace helio::stacktext
