#pragma once

#include "core/base/time.h"
#include "core/counters/counters.h"
#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/rows/graph_rows.h"
#include "widgets/workspace/result_panels.h"

#include <QByteArray>
#include <QImage>
#include <QSize>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

class QPainter;

namespace helio {

struct Timeline;

/// Request for a picture of a view, rendered without a window.
struct RenderRequest {
    std::shared_ptr<const Timeline> timeline;
    std::string view; ///< Id of the view: TrackView::id.
    TimeRange window;
    TimeRange selection; ///< Selected range; empty for none.
    QSize size{1600, 900}; ///< Size in device-independent pixels.
    int labelWidth = 300;
    TimeFormat format;
    std::string filter; ///< Filter: only rows or series whose names contain this text are shown; empty for all.
    /// Rows as a panel shows them, with sorting, opened rows and density; nullopt for all rows of the view.
    std::optional<GraphRows> rows;
    /// Predicate: only rows that it accepts are shown, with all of their parents open. Empty for all rows.
    std::function<bool(const Row&)> accepts;
    /// Predicate for a view of counters: only series that it accepts are shown. Empty for all series.
    std::function<bool(const ViewSeries&, const SeriesOwner&)> acceptsSeries;
    bool withArrows = true;
    /// True to omit rows without activity in the window, if the view supports that.
    bool hidesResting = false;
    /// Panel with a query's result, which is drawn instead of a view; nullopt to draw the view. Requires: the panel has data.
    std::optional<ResultPanel> result;
};

/// Returns the height of all rows or series of the view, ruler included.
int naturalHeight(const RenderRequest& request);

/// Height and scale at which a picture contains as many rows or series of a view as possible.
struct PictureFit {
    int height = 0; ///< Height in device-independent pixels, ruler included.
    qreal scale = 1; ///< Scale of the picture: the `wanted` scale of fitPicture(), or a lower one at which more rows fit.
    int shownRows = 0; ///< Number of rows that are completely in the picture; less than allRows if the picture is cut.
    int allRows = 0;

    bool isCut() const { return shownRows < allRows; }
};
/// Fits all rows into `tallest` device pixels, if possible. The scale is at least 1, or `wanted` if that is smaller.
PictureFit fitPicture(const RenderRequest& request, qreal wanted, int tallest);

/// Restricts a request to as many rows as fit into a height of `tallest` device-independent pixels: the busiest rows of a view that can
/// hide idle rows (TrackView::canHideIdleRows), the first rows of another view. Rows that are needed to show the tree count, too.
/// Returns the height of the picture and the number of rows in it.
/// Cost: a few µs per row.
PictureFit fitBusiestRows(RenderRequest& request, int tallest);

/// Paints ruler, label column, and rows or curves. For SVG, pass a painter on a QSvgGenerator.
/// Threads: any; slow.
void renderView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio = 1, std::stop_token stop = {});
/// Renders the view into an image of size * pixelRatio device pixels.
QImage renderView(const RenderRequest& request, const Theme& theme, qreal pixelRatio = 1, std::stop_token stop = {});

enum class PictureFormat { Png, Svg };

/// Returns the contents of a picture file; empty if the picture is too large.
QByteArray renderedPicture(const RenderRequest& request, const Theme& theme, qreal pixelRatio, PictureFormat format);

} // namespace helio
