#pragma once

#include "app/cli/selection/sample_options.h"
#include "app/cli/selection/table_options.h"
#include "core/profiling/samples/function_groups.h"
#include "widgets/flame/view/flame_colors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct FlameOptions {
    enum class Shows : std::uint8_t { Tree, Functions, Folded, Svg, Speedscope };
    TableOptions table{"flame", {"text", "table", "csv", "json", "folded", "svg", "speedscope"}};
    SampleOptions samples;
    TreeOptions tree;
    Shows shows = Shows::Tree; ///< Type of output; Tree and Functions are tables.
    FunctionGroup group = FunctionGroup::Function; ///< Grouping of the table of functions, e.g. by module.
    std::vector<std::string> with; ///< Names of additional events; each event has a column of its own in the table of functions.
    std::string title; ///< Title of the picture; if empty, the title is derived from the samples.
    std::uint32_t width = 1200; ///< Width of the picture in pixels.
    FlameColoring coloring = FlameColoring::Module; ///< Rule by which frames of the picture are coloured.

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
