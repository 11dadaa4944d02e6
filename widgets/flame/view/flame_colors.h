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

/// Colours of the frames of a tree, as theme roles.
class FlameColors {
public:
    FlameColors() = default;
    /// `modules`: colours of modules that all views of the recording share; nullptr to choose colours for the modules of this tree.
    FlameColors(const CallTree& tree, WeightBy by, FlameColoring coloring, const ModuleColors* modules = nullptr);

    QString roleOf(const CallTree& tree, std::uint32_t node) const { return roleName(hueOf(tree, node)); }

    /// Legend entries: at most eight modules with their colours, in descending order of self time; then "Kernel" if there are kernel
    /// frames; then states of threads.
    struct Named {
        QString name;
        QString role;
    };
    const std::vector<Named>& legend() const { return m_legend; }

    struct Paint {
        QColor fill;
        QColor ink;
    };
    /// Returns the faded colour for an ancestor of the zoomed frame: a mix of equal parts with the panel's colour. Text on it stays
    /// readable.
    static Paint faded(const Paint& paint, const Theme& theme);

    /// Reads the colours of all roles from a theme. Must be called again when the theme changed.
    void resolve(const Theme& theme);
    const Paint& paintOf(const CallTree& tree, std::uint32_t node) const { return m_paints[hueOf(tree, node)]; }

private:
    using Hue = std::uint8_t; ///< Index of a role; see roleName().

    QString roleName(Hue hue) const;
    Hue hueOfState(const std::string& color);
    Hue hueOf(const CallTree& tree, std::uint32_t node) const;
    void hueByModule(const CallTree& tree, WeightBy by, const ModuleColors* known);

    FlameColoring m_coloring = FlameColoring::Module;
    WeightBy m_by = WeightBy::Samples;
    std::uint64_t m_hottest = 0; ///< Largest own amount of all frames.
    std::vector<Hue> m_hues; ///< Hues, indexed by FunctionId.
    /// Theme roles or colours ("#rrggbb") of thread states. The state at index i has the hue HueCount + i.
    std::vector<std::string> m_states;
    std::vector<Named> m_legend;
    std::vector<Paint> m_paints; ///< Colours of fill and text, indexed by Hue.
};

} // namespace helio
