#pragma once

#include "app/cli/selection/difference_options.h"
#include "app/cli/selection/sample_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"
#include "widgets/theme/theme.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// Options of `render`: the view, its input, and the size and appearance of the picture.
struct RenderOptions {
    SideOptions sides; ///< Traces of both sides; only for the view "difference".
    std::vector<std::filesystem::path> traces; ///< Traces; for all views except "difference".
    ReadingOptions reading;
    SelectionOptions selection;
    std::string view;
    SampleOptions samples;
    TreeOptions tree;
    DifferenceOptions difference;
    std::filesystem::path output;
    int width = 1600; ///< Width of the picture in pixels before scaling.
    int height = 900;
    bool isSizeChosen = false; ///< True if --size was given; otherwise the height depends on the content.
    double scale = 1; ///< Scale of the picture, in pixels per point.
    Theme::Kind theme = Theme::Kind::Dark;

    void addTo(OptionList& options);
    std::string missing() const;
    Status read();

    bool isFlameGraph() const { return view == "flame"; }
    bool isDifferenceGraph() const { return view == "difference"; }
    bool isSvg() const { return output.extension() == ".svg"; }
    bool isPng() const { return output.extension() == ".png"; }

private:
    Status readSize();
    Status readLook();

    struct {
        std::string size, theme = "dark";
    } m_given;
};

} // namespace helio
