#pragma once

#include "core/query/rows/frame_text.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Hash that is the same in every run and on every machine.
std::uint32_t hashName(std::string_view name);

/// Category colour for the code of a function (modules get their colours from ModuleColors). It depends on the name alone and is the same
/// in every view, run, recording and selection. No colour is blue, because blue stands for the kernel.
int categoryOfName(std::string_view name);

/// Assigns one of the category colours to the code of each module, the same in all views of a recording. The eight heaviest modules get
/// colours that are easily told apart: each the colour that its name selects, unless a heavier module has it. Other modules share the
/// remaining colours by their names. No colour is blue, because blue stands for the kernel.
class ModuleColors {
public:
    static constexpr std::size_t Distinct = 8; ///< Number of modules with a colour of their own.

    ModuleColors() = default;
    /// `modules`: heaviest first. Modules of the kernel and the unknown module get no colour.
    explicit ModuleColors(const std::vector<FrameModule>& modules);

    int categoryOf(std::string_view module) const;

private:
    std::map<std::string, int, std::less<>> m_heaviest;
};

/// Colours of a timeline's modules, weighted by their samples or, without samples, by their different stacks. Never nullptr. Threads: any.
/// Cost: reads all stacks and samples of the timeline, once for each set of stores.
std::shared_ptr<const ModuleColors> moduleColors(const Timeline& timeline);

} // namespace helio
