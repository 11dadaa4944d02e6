#pragma once

#include "core/experiment/timeline.h"
#include "widgets/controls/notice_bar.h"

#include <QTimer>

#include <cstdint>
#include <memory>

namespace helio {

class ViewContext;

/// Bar that says that the connection to the machine of a remote trace is lost. Once the connection is back, the views ask again for what
/// they could not show.
class RemoteNotice : public NoticeBar {
    Q_OBJECT

public:
    /// Ownership: `context` outlives the bar.
    explicit RemoteNotice(ViewContext& context, QWidget* parent = nullptr);

    /// Returns what is wrong with the connections of the timeline's traces; empty if nothing is.
    static QString problemOf(const Timeline& timeline);

private:
    void look();

    ViewContext& m_context;
    QTimer m_timer; ///< Active while a remote trace is open.
    std::uint64_t m_missed = 0; ///< Value of PartialFile::missedCount() when the views were shown last.
};

} // namespace helio
