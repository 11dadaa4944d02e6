#pragma once

#include "core/timesync/link_ends.h"
#include "core/timesync/link_times.h"
#include "widgets/async/latest_job.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace helio {

class FieldGrid;

/// The arrow that a person chose: both its ends, that lead there, when it left and arrived, how sure that is, what is known of ends at no
/// thread, and what its message's header says. Follows the context's link and its timeline's clocks; hidden while none is chosen. UI
/// thread.
class LinkCard : public QWidget {
    Q_OBJECT

public:
    explicit LinkCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_arrow; }
    /// Again, in the theme and the format of times that are now.
    void refresh() { showLink(); }

signals:
    void changed(); ///< There is a link now, or none any more, or another one.

private:
    /// One end.
    struct End {
        TrackRef row;
        Timestamp at;
    };
    void fetch();
    void take(std::optional<Arrow> arrow, const std::array<LinkEnd, 2>& ends);
    void showLink();
    void addEnd(const QString& name, const QString& when, const QString& link, const End& end, std::uint32_t host);
    void addKnown(bool isFrom);
    void addDoubt(const LinkTimes& times);
    void goTo(const End& end);

    ViewContext& m_context;
    std::optional<Arrow> m_arrow;
    std::array<LinkEnd, 2> m_ends; ///< Of it.
    bool m_isGoing = false; ///< To one of its ends: it stays what it is.
    QLabel* m_swatch;
    QLabel* m_title;
    QLabel* m_length;
    FieldGrid* m_fields;
    QLabel* m_doubt;
    LatestJob m_job;
};

} // namespace helio
