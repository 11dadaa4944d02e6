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

/// The colour of every frame of a tree, as the role it stands for.
class FlameColors {
public:
    FlameColors() = default;
    /// `modules`: the colours of modules in all views of the recording. Null: those that the tree alone asks for.
    FlameColors(const CallTree& tree, WeightBy by, FlameColoring coloring, const ModuleColors* modules = nullptr);

    QString roleOf(const CallTree& tree, std::uint32_t node) const { return roleName(hueOf(tree, node)); }

    /// Modules with their colours, the heaviest (by the time in themselves) first: at most eight; then "[kernel]" where there is any;
    /// then states of threads.
    struct Named {
        QString name;
        QString role;
    };
    const std::vector<Named>& legend() const { return m_legend; }

    struct Paint {
        QColor fill;
        QColor ink;
    };
    /// What an ancestor of the frame that is zoomed to is painted with: its colour half gone into the panel, its text as readable as
    /// before.
    static Paint faded(const Paint& paint, const Theme& theme);

    /// What roles are in a theme. After another theme was set: again.
    void resolve(const Theme& theme);
    const Paint& paintOf(const CallTree& tree, std::uint32_t node) const { return m_paints[hueOf(tree, node)]; }

private:
    using Hue = std::uint8_t; ///< Of the roles.

    QString roleName(Hue hue) const;
    Hue hueOfState(const std::string& color);
    Hue hueOf(const CallTree& tree, std::uint32_t node) const;
    void hueByModule(const CallTree& tree, WeightBy by, const ModuleColors* known);

    FlameColoring m_coloring = FlameColoring::Module;
    WeightBy m_by = WeightBy::Samples;
    std::uint64_t m_hottest = 0; ///< Most time of a frame in itself.
    std::vector<Hue> m_hues; ///< By FunctionId.
    std::vector<std::string> m_states; ///< The roles of states, whose hues are behind all others.
    std::vector<Named> m_legend;
    std::vector<Paint> m_paints; ///< By Hue.
};

} // namespace helio
