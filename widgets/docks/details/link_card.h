#pragma once

#include "core/timesync/link_ends.h"
#include "core/timesync/link_times.h"
#include "widgets/async/latest_task.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace helio {

class FieldGrid;

/// Card about the selected arrow: both ends as links, departure and arrival times with their error bound, facts about ends without a
/// thread, and the header of the message. Follows the context's link and the clocks of its timeline; hidden while no link is selected.
/// Threads: UI thread.
class LinkCard : public QWidget {
    Q_OBJECT

public:
    explicit LinkCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_arrow; }
    /// Redraws the card after the theme or the time format changed.
    void refresh() { showLink(); }

signals:
    void changed(); ///< Emitted when the link or the result of isEmpty() changed.

private:
    /// Widgets and target of one end of the arrow.
    struct End {
        TrackRef row;
        Timestamp at;
    };
    void fetch();
    void take(std::optional<Arrow> arrow, const std::array<LinkEnd, 2>& ends);
    void showLink();
    void addEnd(const QString& name, const QString& when, const QString& link, const End& end, std::uint32_t host);
    void addEndFacts(bool isFrom);
    void addUncertainty(const LinkTimes& times);
    void goTo(const End& end);

    ViewContext& m_context;
    std::optional<Arrow> m_arrow;
    std::array<LinkEnd, 2> m_ends; ///< Facts about both ends of m_arrow.
    bool m_isGoingToEnd = false; ///< True while goTo() moves the cursor to one end of the link, so that the card keeps the link.
    QLabel* m_swatch;
    QLabel* m_title;
    QLabel* m_length;
    FieldGrid* m_fields;
    QLabel* m_doubt;
    LatestTask m_job;
};

} // namespace helio
