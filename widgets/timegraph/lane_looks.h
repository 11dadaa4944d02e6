#pragma once

#include "widgets/theme/theme.h"
#include "widgets/timegraph/lane_raster.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace helio {

/// Looks and palette of a state set, made once a theme.
struct LaneLook {
    StateLooks looks;
    LanePalette palette;
};

class LaneLooks {
public:
    explicit LaneLooks(const Theme& theme)
        : m_theme(theme)
    {
    }

    /// Of a row of this kind. The same object until theme or focus change.
    const std::shared_ptr<const LaneLook>& of(const StateSet& set, const QString& kind);

    /// Only this state's legend word stays in full colour; empty: all do.
    void setFocus(const QString& legend)
    {
        m_focus = legend;
        m_known.clear();
    }
    const QString& focus() const { return m_focus; }

private:
    Theme m_theme;
    QString m_focus;
    std::unordered_map<std::string, std::shared_ptr<const LaneLook>> m_known;
};

} // namespace helio
