#pragma once

#include "core/base/result.h"
#include "core/formats/stack_text/text_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::stacktext {

/// Whether this is how a text by perf script begins. `isWhole`: it does not go on.
bool isScript(std::string_view begin, bool isWhole);

/// Reads all that it can. Errors: Cancelled, soon after `stop` is requested.
/// Cost: a text is read about as fast as memory allows where its frames repeat.
Status readScript(std::string_view text, TextRecording& recording, std::stop_token stop);

} // namespace helio::stacktext
