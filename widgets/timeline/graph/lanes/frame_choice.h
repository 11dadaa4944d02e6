#pragma once

#include <QJsonObject>

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// User's choice of the calls that a panel of call stacks shows, and of their colours. Patterns use the syntax of matchesPattern().
struct FrameChoice {
    std::vector<std::string> hiddenFunctions; ///< Patterns of function names whose calls are hidden.
    std::vector<std::string> hiddenModules;
    std::vector<std::string> focus; ///< Patterns of functions and modules: calls that match none are faded. If empty, no call is faded.
    bool isByFunction = false; ///< True if calls are coloured by function, false if by module.
    bool operator==(const FrameChoice&) const = default;

    /// True if any calls are hidden or faded.
    bool isLimited() const { return !hiddenFunctions.empty() || !hiddenModules.empty() || !focus.empty(); }
    bool hides(std::string_view function, std::string_view module) const;
    bool fades(std::string_view function, std::string_view module) const;
};

/// Converts the choice to and from the JSON of session files. Missing or invalid values get their defaults.
QJsonObject toJson(const FrameChoice& choice);
FrameChoice frameChoiceFrom(const QJsonObject& json);

} // namespace helio
