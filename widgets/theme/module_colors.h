#pragma once

#include "core/query/rows/frame_text.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Which of the categories' colours the code of each module has: one assignment for all views of a recording. The heaviest eight modules
/// have colours that are easily told apart; the colour of each is the one that its name asks for, unless a heavier module has it. The
/// others share the remaining colours by their names. No colour is one of the blues, which are the kernel's.
class ModuleColors {
public:
    static constexpr std::size_t Distinct = 8; ///< How many modules have a colour that no other module has.

    ModuleColors() = default;
    /// `modules`: the heaviest first. Those of the kernel, and the unknown one, take no colour.
    explicit ModuleColors(const std::vector<FrameModule>& modules);

    int categoryOf(std::string_view module) const;

private:
    std::map<std::string, int, std::less<>> m_heaviest;
};

/// The colours of a timeline's modules, by the samples of each and, without samples, by its different stacks. Never null. Threads: any.
/// Cost: of all stacks and samples of the timeline, once for each set of its stores.
std::shared_ptr<const ModuleColors> moduleColors(const Timeline& timeline);

} // namespace helio
