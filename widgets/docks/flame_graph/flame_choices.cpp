#include "widgets/docks/flame_graph/flame_choices.h"

#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_roles.h"

#include <QJsonArray>

namespace helio {

namespace {

using Order = CallTreeOptions::Order;
using Base = CallTreeOptions::Base;

constexpr FileWord<Order> Orders[] = {{Order::Weight, "weight"}, {Order::Name, "name"}, {Order::FirstTime, "time"}};
constexpr FileWord<Base> Bases[] = {
    {Base::Command, "command"}, {Base::None, "none"}, {Base::Process, "process"}, {Base::Thread, "thread"}, {Base::Cpu, "cpu"}};
constexpr FileWord<FlameColoring> Colorings[] = {
    {FlameColoring::Module, "module"}, {FlameColoring::Code, "code"}, {FlameColoring::Heat, "heat"}};
constexpr int MostNames = 64; ///< Maximum number of names, because each one is shown as a chip.

QJsonArray toJson(const std::vector<std::string>& names)
{
    QJsonArray list;
    for (const std::string& name : names)
        list << QString::fromStdString(name);
    return list;
}

std::vector<std::string> namesFrom(const QJsonValue& value)
{
    std::vector<std::string> names;
    const QJsonArray list = value.toArray();
    for (int i = 0; i < std::min<int>(MostNames, list.size()); ++i)
        if (list[i].isString())
            names.push_back(list[i].toString().toStdString());
    return names;
}

} // namespace

QStringList flameOptions(const FlameChoices& choices)
{
    QStringList words;
    if (choices.isInverted)
        words << "--inverted";
    if (choices.collapsesRecursion)
        words << "--collapse-recursion";
    if (choices.order != Order::Weight)
        words << "--order" << fileWord(choices.order, Orders);
    if (choices.base != Base::Command)
        words << "--base" << fileWord(choices.base, Bases);
    for (const auto& [name, list] : {std::pair("--hide", &choices.hiddenFunctions), std::pair("--hide-module", &choices.hiddenModules),
                                     std::pair("--focus", &choices.focus)})
        for (const std::string& pattern : *list)
            words += optionWords(name, QString::fromStdString(pattern));
    return words;
}

QJsonObject toJson(const FlameChoices& choices)
{
    QJsonObject json{{"inverted", choices.isInverted},
                     {"rootsBelow", choices.areRootsBelow},
                     {"order", fileWord(choices.order, Orders)},
                     {"base", fileWord(choices.base, Bases)},
                     {"coloring", fileWord(choices.coloring, Colorings)},
                     {"collapsesRecursion", choices.collapsesRecursion},
                     {"hiddenFunctions", toJson(choices.hiddenFunctions)},
                     {"hiddenModules", toJson(choices.hiddenModules)},
                     {"focus", toJson(choices.focus)}};
    if (choices.sandwich)
        json["sandwich"] =
            toJson({choices.sandwich->name, choices.sandwich->module, choices.sandwich->linkageName, choices.sandwich->unit});
    return json;
}

FlameChoices parseFlameChoices(const QJsonObject& json)
{
    FlameChoices choices;
    choices.isInverted = json["inverted"].toBool();
    choices.areRootsBelow = json["rootsBelow"].toBool();
    choices.order = valueOf(json["order"], Orders);
    choices.base = valueOf(json["base"], Bases);
    choices.coloring = valueOf(json["coloring"], Colorings);
    choices.collapsesRecursion = json["collapsesRecursion"].toBool();
    choices.hiddenFunctions = namesFrom(json["hiddenFunctions"]);
    choices.hiddenModules = namesFrom(json["hiddenModules"]);
    choices.focus = namesFrom(json["focus"]);
    if (auto sandwich = namesFrom(json["sandwich"]); sandwich.size() == 2 || sandwich.size() == 4) {
        sandwich.resize(4); // Adds empty linkage names: sessions of older versions have only a name and a module.
        choices.sandwich = {sandwich[0], sandwich[1], sandwich[2], sandwich[3]};
    }
    return choices;
}

} // namespace helio
