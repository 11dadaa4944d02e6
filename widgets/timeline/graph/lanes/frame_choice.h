#pragma once

#include <QJsonObject>

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Which calls a panel of call stacks shows, and in which colours. Patterns are as matchesPattern() has them.
struct FrameChoice {
    std::vector<std::string> hiddenFunctions; ///< Patterns.
    std::vector<std::string> hiddenModules;
    std::vector<std::string> focus; ///< Patterns: all but these functions and modules are faded. Empty: none are.
    bool isByFunction = false; ///< Colours are those of functions, not modules.
    bool operator==(const FrameChoice&) const = default;

    bool isLimited() const { return !hiddenFunctions.empty() || !hiddenModules.empty() || !focus.empty(); } ///< Not all is in full colour.
    bool hides(std::string_view function, std::string_view module) const;
    bool fades(std::string_view function, std::string_view module) const;
};

/// As session files keep it. What is absent or makes no sense there is as it is by default.
QJsonObject toJson(const FrameChoice& choice);
FrameChoice frameChoiceFrom(const QJsonObject& json);

} // namespace helio
