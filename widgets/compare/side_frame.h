#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/compare/side_style.h"

#include <QWidget>

#include <memory>

class QToolButton;

namespace helio {

class PanelHeader;
struct Timeline;

/// Frame around the content of a side: a rail in the side's colour along the left edge. Adds the side's letter and title to the panel's
/// header, and a badge if the recording is damaged.
/// Threads: UI thread.
class SideFrame : public QWidget {
    Q_OBJECT

public:
    /// `content` becomes a child of the frame. `header`: header inside of `content`; nullptr if there is none.
    SideFrame(Side side, QWidget* content, PanelHeader* header, QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& remark);
    /// Sets the recording whose damage (lost, truncated or unusual data) the badge counts and its tooltip lists. nullptr hides the badge.
    void setTimeline(std::shared_ptr<const Timeline> timeline);

signals:
    void messagesRequested(); ///< Emitted when the user clicked the badge.

private:
    void paintEvent(QPaintEvent* event) override;
    void makeBadge();
    void style();
    void showDamages(const QStringList& damages);

    Side m_side;
    PanelHeader* m_header;
    QToolButton* m_badge = nullptr; ///< Badge inside of the header; nullptr without a header.
    LatestTask m_job;
};

} // namespace helio
