#pragma once

#include "core/base/time.h"
#include "core/counters/counters.h"
#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/rows/graph_rows.h"

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

/// Request for a picture of a view, made without a window.
struct RenderRequest {
    std::shared_ptr<const Timeline> timeline;
    std::string view; ///< TrackView::id.
    TimeRange window;
    TimeRange selection; ///< Empty: none.
    QSize size{1600, 900}; ///< Device-independent pixels.
    int labelWidth = 300;
    TimeFormat format;
    std::string filter; ///< Part of the names of rows or series to show; empty for all.
    /// Rows with the sorting, opened rows and density of a panel; nullopt for all rows of the view.
    std::optional<GraphRows> rows;
    /// Predicate for rows to show; closed rows are opened. Empty for all.
    std::function<bool(const Row&)> accepts;
    /// Predicate for series to show, for a view of counters; empty for all.
    std::function<bool(const ViewSeries&, const SeriesOwner&)> acceptsSeries;
    bool withArrows = true;
    /// True to leave out rows that rest in the window, if the view can hide them.
    bool hidesResting = false;
};

/// Returns the height that all rows or series of the view need, ruler included.
int naturalHeight(const RenderRequest& request);

/// Height and scale of a picture of all rows or series of a view.
struct PictureFit {
    int height = 0; ///< Device-independent pixels, ruler included.
    qreal scale = 1; ///< Scale of the picture: `wanted` of fitPicture(), or a lower one if more rows fit then.
    int shownRows = 0; ///< Number of whole rows in the picture; fewer than allRows if it is cut at the bottom.
    int allRows = 0;

    bool isCut() const { return shownRows < allRows; }
};
/// Fits all rows into `tallest` device pixels. The scale is at least 1, or `wanted` if that is less.
PictureFit fitPicture(const RenderRequest& request, qreal wanted, int tallest);

/// Paints ruler, label column and rows or curves. For SVG, pass a painter on a QSvgGenerator.
/// Threads: any; slow.
void renderView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio = 1, std::stop_token stop = {});
/// Renders the view into an image of size * pixelRatio device pixels.
QImage renderView(const RenderRequest& request, const Theme& theme, qreal pixelRatio = 1, std::stop_token stop = {});

enum class PictureFormat { Png, Svg };

/// Returns the contents of a picture file; empty if the picture is too large.
QByteArray renderedPicture(const RenderRequest& request, const Theme& theme, qreal pixelRatio, PictureFormat format);

} // namespace helio
