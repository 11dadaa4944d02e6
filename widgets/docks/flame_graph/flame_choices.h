#pragma once

#include "core/profiling/samples/call_tree.h"
#include "widgets/flame/view/flame_colors.h"
#include "widgets/flame/view/flame_path.h"

#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace helio {

/// Options of the flame graph that the user chose.
struct FlameChoices {
    bool isInverted = false; ///< True for an inverted tree, from the sampled functions to their callers.
    bool areRootsBelow = false;
    CallTreeOptions::Order order = CallTreeOptions::Order::Weight;
    CallTreeOptions::Base base = CallTreeOptions::Base::Command;
    FlameColoring coloring = FlameColoring::Module;
    bool collapsesRecursion = false;
    std::vector<std::string> hiddenFunctions;
    std::vector<std::string> hiddenModules;
    std::vector<std::string> focus;
    /// Function for the sandwich view, which has only its callers and callees; nullopt for the complete tree.
    std::optional<FrameKey> sandwich;
    bool operator==(const FlameChoices&) const = default;

    CallTreeOptions options(CallTreeOptions::Shape shape, WeightBy by) const
    {
        CallTreeOptions options;
        options.shape = shape;
        options.order = order;
        options.by = by;
        options.base = base;
        options.collapsesRecursion = collapsesRecursion;
        options.hiddenFunctions = hiddenFunctions;
        options.hiddenModules = hiddenModules;
        options.focus = focus;
        if (sandwich) {
            options.function = sandwich->name;
            options.module = sandwich->module;
            if (!sandwich->linkageName.empty()) {
                options.identity.emplace();
                options.identity->module = sandwich->module;
                options.identity->linkageName = sandwich->linkageName;
                options.identity->unit = sandwich->unit;
            }
        }
        return options;
    }
};

/// Returns the options of `heliograph flame` that make the same tree as `choices`. Requires choices.sandwich to be empty.
QStringList flameOptions(const FlameChoices& choices);

/// Converts the choices to and from the JSON of session files. Missing or invalid values get their defaults.
QJsonObject toJson(const FlameChoices& choices);
FlameChoices parseFlameChoices(const QJsonObject& json);

} // namespace helio
