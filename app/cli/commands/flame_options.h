#pragma once

#include "app/cli/selection/sample_options.h"
#include "app/cli/selection/table_options.h"
#include "core/profiling/samples/function_groups.h"
#include "widgets/flame/view/flame_colors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

/// What flame shows, and how.
struct FlameOptions {
    enum class Shows : std::uint8_t { Tree, Functions, Folded, Svg, Speedscope };
    TableOptions table{"flame", {"text", "table", "csv", "json", "folded", "svg", "speedscope"}};
    SampleOptions samples;
    TreeOptions tree;
    Shows shows = Shows::Tree; ///< The first two as tables.
    FunctionGroup group = FunctionGroup::Function; ///< Of the table of functions: what a line is.
    std::vector<std::string> with; ///< Of it: other events, beside this one.
    std::string title; ///< Of the picture. Empty: what it is of.
    std::uint32_t width = 1200; ///< Of the picture, in pixels.
    FlameColoring coloring = FlameColoring::Module; ///< Of the picture.

    void addTo(OptionList& options);
    std::string missing() const { return table.missing(); }
    Status read();

private:
    Status readTable();
    Status readPicture();

    struct {
        std::string group, width, colors;
        bool isTable = false;
    } m_given;
};

} // namespace helio
