#pragma once

#include <QJsonObject>

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Calls that a panel of call stacks shows, and their colours. Patterns are those of matchesPattern().
struct FrameChoice {
    std::vector<std::string> hiddenFunctions; ///< Patterns of function names; their calls are not drawn.
    std::vector<std::string> hiddenModules;
    std::vector<std::string> focus; ///< Patterns of functions and modules: all other calls are faded. Empty if no call is faded.
    bool isByFunction = false; ///< True if colours are chosen by function, false if by module.
    bool operator==(const FrameChoice&) const = default;

    /// True if some calls are hidden or faded.
    bool isLimited() const { return !hiddenFunctions.empty() || !hiddenModules.empty() || !focus.empty(); }
    bool hides(std::string_view function, std::string_view module) const;
    bool fades(std::string_view function, std::string_view module) const;
};

/// Converts to and from the JSON of session files. Values that are missing or invalid there get their defaults.
QJsonObject toJson(const FrameChoice& choice);
FrameChoice frameChoiceFrom(const QJsonObject& json);

} // namespace helio
