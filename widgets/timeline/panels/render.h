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

/// A picture of a view, made without a window.
struct RenderRequest {
    std::shared_ptr<const Timeline> timeline;
    std::string view; ///< TrackView::id.
    TimeRange window;
    TimeRange selection; ///< Empty: none.
    QSize size{1600, 900}; ///< Device-independent pixels.
    int labelWidth = 300;
    TimeFormat format;
    std::string filter; ///< Rows, or series, whose name holds it; empty: all.
    std::optional<GraphRows> rows; ///< As a panel shows them: sorted, opened and as high as there. None: all of the view.
    std::function<bool(const Row&)> accepts; ///< Rows to show, closed ones opened; empty: all.
    std::function<bool(const ViewSeries&, const SeriesPlace&)> acceptsSeries; ///< Series to show, of a view of counters; empty: all.
    bool withArrows = true;
    bool hidesResting = false; ///< Rows that do nothing in the window are left out, where their view may do so.
};

/// Height that all rows, or series, of the view need, ruler included.
int naturalHeight(const RenderRequest& request);

/// Height and scale of a picture of all rows, or series, of a view.
struct PictureFit {
    int height = 0; ///< Device-independent pixels, ruler included.
    qreal scale = 1; ///< At most the wanted one; lower if all rows fit then.
    int shownRows = 0; ///< Whole rows in the picture; fewer than allRows if it is cut at the bottom.
    int allRows = 0;

    bool isCut() const { return shownRows < allRows; }
};
/// Fits all rows into `tallest` device pixels, with a scale of 1 or `wanted` at least.
PictureFit fitPicture(const RenderRequest& request, qreal wanted, int tallest);

/// Paints ruler, label column and rows, or curves; slow, on the calling thread. For SVG hand over a painter on a QSvgGenerator.
void renderView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio = 1, std::stop_token stop = {});
/// The same into an image of size * pixelRatio device pixels.
QImage renderView(const RenderRequest& request, const Theme& theme, qreal pixelRatio = 1, std::stop_token stop = {});

enum class PictureFormat { Png, Svg };

/// The contents of a picture file; empty if the picture is too large.
QByteArray renderedPicture(const RenderRequest& request, const Theme& theme, qreal pixelRatio, PictureFormat format);

} // namespace helio
