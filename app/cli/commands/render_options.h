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

/// Which view render draws, of what, and how the picture looks.
struct RenderOptions {
    SideOptions sides; ///< Of the difference.
    std::vector<std::filesystem::path> traces; ///< Of every other view.
    ReadingOptions reading;
    SelectionOptions selection;
    std::string view;
    SampleOptions samples;
    TreeOptions tree;
    DifferenceOptions difference;
    std::filesystem::path output;
    int width = 1600; ///< In pixels before scaling.
    int height = 900;
    bool isSizeChosen = false; ///< Else pictures are as high as what they show.
    double scale = 1; ///< Pixels a point.
    Theme::Kind theme = Theme::Kind::Dark;

    void addTo(OptionList& options);
    std::string missing() const;
    Status read();

    bool isOfFlame() const { return view == "flame"; }
    bool isOfDifference() const { return view == "difference"; }
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
