#pragma once

#include "widgets/theme/theme.h"
#include "widgets/timegraph/lanes/lane_raster.h"

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

    /// Of a row of this kind; of a group of interrupts: the looks of hard ones, then those of soft ones. The same object until theme or
    /// focus change. `isSampled`: samples are all that is known, so that the unknown between them is but a line.
    const std::shared_ptr<const LaneLook>& of(const StateSet& set, const QString& kind, bool isSampled = false);

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
