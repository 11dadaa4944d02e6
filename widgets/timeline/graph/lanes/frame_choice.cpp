#include "widgets/timeline/graph/lanes/frame_choice.h"

#include "core/profiling/samples/call_path.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

bool matchesAny(std::string_view text, const std::vector<std::string>& patterns)
{
    return !text.empty() && std::ranges::any_of(patterns, [&](const std::string& pattern) { return matchesPattern(text, pattern); });
}

constexpr int MostPatterns = 64; ///< Maximum number of patterns in each list of a FrameChoice.

/// Lists of patterns with their keys in session files.
constexpr std::pair<const char*, std::vector<std::string> FrameChoice::*> Lists[] = {
    {"hiddenFunctions", &FrameChoice::hiddenFunctions}, {"hiddenModules", &FrameChoice::hiddenModules}, {"focus", &FrameChoice::focus}};

} // namespace

bool FrameChoice::hides(std::string_view function, std::string_view module) const
{
    return matchesAny(function, hiddenFunctions) || matchesAny(module, hiddenModules);
}

bool FrameChoice::fades(std::string_view function, std::string_view module) const
{
    return !focus.empty() && !matchesAny(function, focus) && !matchesAny(module, focus);
}

QJsonObject toJson(const FrameChoice& choice)
{
    QJsonObject json{{"byFunction", choice.isByFunction}};
    for (const auto& [key, list] : Lists) {
        QJsonArray patterns;
        for (const std::string& pattern : choice.*list)
            patterns << QString::fromStdString(pattern);
        json[key] = patterns;
    }
    return json;
}

FrameChoice frameChoiceFrom(const QJsonObject& json)
{
    FrameChoice choice;
    choice.isByFunction = json["byFunction"].toBool();
    for (const auto& [key, list] : Lists) {
        const QJsonArray patterns = json[key].toArray();
        for (int i = 0; i < std::min<int>(MostPatterns, int(patterns.size())); ++i)
            if (const QString pattern = patterns[i].toString(); !pattern.isEmpty())
                (choice.*list).push_back(pattern.toStdString());
    }
    return choice;
}

} // namespace helio
