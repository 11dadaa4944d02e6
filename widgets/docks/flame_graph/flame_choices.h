#pragma once

#include "core/profiling/samples/call_tree.h"
#include "widgets/flame/view/flame_colors.h"
#include "widgets/flame/view/flame_path.h"

#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace helio {

/// What a person chose to see of the samples.
struct FlameChoices {
    bool isInverted = false; ///< From the sampled functions to their callers.
    bool areRootsBelow = false;
    CallTreeOptions::Order order = CallTreeOptions::Order::Weight;
    CallTreeOptions::Base base = CallTreeOptions::Base::Command;
    FlameColoring coloring = FlameColoring::Module;
    bool collapsesRecursion = false;
    std::vector<std::string> hiddenFunctions;
    std::vector<std::string> hiddenModules;
    std::vector<std::string> focus;
    std::optional<FrameKey> sandwich; ///< Its callers and callees alone.
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

/// The options of the command flame that make the same tree. Requires: no sandwich.
QStringList flameOptions(const FlameChoices& choices);

/// As session files keep them. What is absent or makes no sense there is as it is by default.
QJsonObject toJson(const FlameChoices& choices);
FlameChoices flameChoicesFrom(const QJsonObject& json);

} // namespace helio
