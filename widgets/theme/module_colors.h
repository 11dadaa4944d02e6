#pragma once

#include "core/query/rows/frame_text.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Returns a hash of a name that is the same in every run and on every machine.
std::uint32_t hashName(std::string_view name);

/// Returns the category colour for the code of a function. The colour depends only on the name, so that it is the same in all views and
/// recordings and whenever Heliograph is started. It is never blue, which stands for the kernel. (ModuleColors chooses the colours of
/// modules.)
int categoryOfName(std::string_view name);

/// Assigns a category colour to the code of each module, the same in all views of a recording. The eight modules with the largest weight
/// get colours that are easy to distinguish. A module's name selects its colour; if a heavier module has this colour, the module gets a
/// free one. All further modules share the remaining colours by name. No colour is blue, which stands for the kernel.
class ModuleColors {
public:
    static constexpr std::size_t Distinct = 8; ///< Number of modules with a colour of their own.

    ModuleColors() = default;
    /// `modules`: modules, the heaviest first. Modules of the kernel and the unknown module get no colour.
    explicit ModuleColors(const std::vector<FrameModule>& modules);

    int categoryOf(std::string_view module) const;
    /// True if the module has one of the colours that are easy to distinguish.
    bool isDistinct(std::string_view module) const { return m_heaviest.contains(module); }

    /// Returns the colours for a view of the modules `shown`, the heaviest first: the eight first have colours that are easy to
    /// distinguish, even if they are not the heaviest of the recording. All other modules keep their colours, as far as possible.
    ModuleColors distinctIn(const std::vector<FrameModule>& shown) const;

private:
    std::map<std::string, int, std::less<>> m_heaviest; ///< Distinct colours, by module.
};

/// Returns the colours of a timeline's modules, weighted by their samples, or by their number of different stacks if there are no samples.
/// Never nullptr.
/// Threads: any.
/// Cost: reads all stacks and samples of the timeline, once per set of stores.
std::shared_ptr<const ModuleColors> moduleColors(const Timeline& timeline);

} // namespace helio
