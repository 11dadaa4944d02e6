#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>

namespace helio {

/// Why none of a host's packets is known at another one, to stand behind a sentence: ": none of its packets were recorded". Empty: some
/// are, or nobody looked for packets.
std::string whyUnmatched(const Timeline& timeline, std::uint32_t host);

} // namespace helio
