#pragma once

#include "core/profiling/samples/call_tree.h"
#include "widgets/theme/module_colors.h"
#include "widgets/theme/theme.h"

#include <QColor>
#include <QString>

#include <string>
#include <vector>

namespace helio {

enum class FlameColoring { Module, Code, Heat };

/// Maps every frame of a tree to a colour, by the theme role of the colour.
class FlameColors {
public:
    FlameColors() = default;
    /// `modules`: colours of modules shared by all views of the recording; nullptr to choose colours for the modules of this tree.
    FlameColors(const CallTree& tree, WeightBy by, FlameColoring coloring, const ModuleColors* modules = nullptr);

    QString roleOf(const CallTree& tree, std::uint32_t node) const { return roleName(hueOf(tree, node)); }

    /// Legend: at most eight modules with their colours, by self time and heaviest first; then "[kernel]" if there are kernel frames; then
    /// states of threads.
    struct Named {
        QString name;
        QString role;
    };
    const std::vector<Named>& legend() const { return m_legend; }

    struct Paint {
        QColor fill;
        QColor ink;
    };
    /// Colour of an ancestor of the zoomed frame: mixed half with the panel's colour. Its text stays as readable.
    static Paint faded(const Paint& paint, const Theme& theme);

    /// Reads the colours of all roles from a theme. To be called again when the theme changed.
    void resolve(const Theme& theme);
    const Paint& paintOf(const CallTree& tree, std::uint32_t node) const { return m_paints[hueOf(tree, node)]; }

private:
    using Hue = std::uint8_t; ///< Index of a role, see roleName().

    QString roleName(Hue hue) const;
    Hue hueOfState(const std::string& color);
    Hue hueOf(const CallTree& tree, std::uint32_t node) const;
    void hueByModule(const CallTree& tree, WeightBy by, const ModuleColors* known);

    FlameColoring m_coloring = FlameColoring::Module;
    WeightBy m_by = WeightBy::Samples;
    std::uint64_t m_hottest = 0; ///< Largest own amount of a frame.
    std::vector<Hue> m_hues; ///< Indexed by FunctionId.
    std::vector<std::string> m_states; ///< Theme roles or colours ("#rrggbb") of thread states; their hues follow all other hues.
    std::vector<Named> m_legend;
    std::vector<Paint> m_paints; ///< Indexed by Hue.
};

} // namespace helio
