#pragma once

#include "app/cli/output/command_capture.h"
#include "app/cli/report/report.h"
#include "widgets/theme/theme.h"

#include <QString>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Returns text for HTML, also inside attributes in double quotes: &, <, > and quotes are escaped; control characters and bytes that are
/// not UTF-8 become \xNN.
std::string htmlText(std::string_view text);

/// Appearance of the states of views, by the name of the state in output.
using StateLegend = std::map<std::string, StateAppearance, std::less<>>;

/// Colours of a document in both themes: CSS variables for the roles that the document uses.
class ReportColors {
public:
    explicit ReportColors(ReportTheme theme)
        : m_theme(theme)
    {
    }

    /// Returns the CSS value for a role of the themes, or for "#rrggbb".
    std::string css(const QString& role);

    /// Returns the rules that define the variables: for the screen in the theme of the report or of the reader, for paper in the light
    /// theme.
    std::string rules() const;

    bool hasDark() const { return m_theme != ReportTheme::Light; }

private:
    ReportTheme m_theme;
    std::set<QString> m_roles;
};

/// Returns the swatch of a state, in the shape of its bars. Decorative: screen readers skip it.
std::string swatchHtml(const StateAppearance& look, ReportColors& colors);

/// Returns a table. Columns without any value, and those in `leftOut`, are left out. `caption`: text for the caption. `barColumn`: the
/// cells of this column have bars in proportion to their values; may be empty. States in a column "state" get their swatch from `legend`.
std::string tableHtml(const CapturedTable& table, const std::string& caption, const std::string& barColumn, const StateLegend& legend,
                      ReportColors& colors, const std::vector<std::string>& leftOut = {});

/// Returns a histogram of durations as an SVG picture. `table`: the output of `latency --histogram`. Empty if it has no rows.
std::string histogramHtml(const CapturedTable& table, const std::string& title, ReportColors& colors);

/// Returns an SVG document as an element of HTML, with the text alternative `title`. `id`: unique id in the document. Empty if `svg`
/// contains no SVG element.
std::string inlineSvg(std::string_view svg, const std::string& id, const std::string& title, const char* cssClass);

/// Returns a column's title for readers: "total_ns" becomes "Total".
std::string columnTitle(std::string_view column);

extern const char* const ReportCss; ///< Style sheet of reports, without colours.
extern const char* const ReportScript; ///< Script that sorts tables by a click on a column's title. Reports are complete without it.

} // namespace helio
