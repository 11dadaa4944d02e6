#pragma once

#include "core/base/result.h"
#include "core/formats/stack_text/text_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::stacktext {

/// How many numbers stand at the end of each line: 1, 2 for differential stacks, 0 where these are no folded stacks.
/// `isWhole`: the text does not go on. `isNamedFolded`: by the file's name these are folded stacks, so that none needs to have a caller.
int foldedColumns(std::string_view begin, bool isWhole, bool isNamedFolded);

/// Reads all that it can: samples of "samples", or of "first" and "second". Errors: Cancelled, soon after `stop` is requested.
Status readFolded(std::string_view text, int columns, TextRecording& recording, std::stop_token stop);

} // namespace helio::stacktext
