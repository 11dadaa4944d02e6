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

/// The arrow that the user chose: both ends as links, when it left and arrived, how certain that is, what is known of ends that are at no
/// thread, and the header of its message. Follows the context's link and its timeline's clocks; hidden while no link is chosen.
/// Threads: UI thread.
class LinkCard : public QWidget {
    Q_OBJECT

public:
    explicit LinkCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_arrow; }
    /// Redraws the card, e.g. after the theme or the time format changed.
    void refresh() { showLink(); }

signals:
    void changed(); ///< The link changed or isEmpty() did.

private:
    /// One end of the arrow.
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
    std::array<LinkEnd, 2> m_ends; ///< Ends of m_arrow.
    bool m_isGoingToEnd = false; ///< True while going to one of the ends, which must not change the chosen link.
    QLabel* m_swatch;
    QLabel* m_title;
    QLabel* m_length;
    FieldGrid* m_fields;
    QLabel* m_doubt;
    LatestTask m_job;
};

} // namespace helio
