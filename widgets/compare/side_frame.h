#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/compare/side_style.h"

#include <QWidget>

#include <memory>

class QToolButton;

namespace helio {

class PanelHeader;
struct Timeline;

/// Frame of a side's content: a rail in the side's colour along the left edge. It adds to the panel's header the side's letter, its title,
/// and a badge if the recording is damaged. Threads: UI thread.
class SideFrame : public QWidget {
    Q_OBJECT

public:
    /// `content` becomes a child of the frame. `header` lies in `content`; nullptr if there is none.
    SideFrame(Side side, QWidget* content, PanelHeader* header, QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& remark);
    /// Sets the recording whose damages the badge counts and its tooltip lists: lost, cut off or unusual data. nullptr hides the badge.
    void setTimeline(std::shared_ptr<const Timeline> timeline);

signals:
    void messagesRequested(); ///< The user clicked the badge.

private:
    void paintEvent(QPaintEvent* event) override;
    void makeBadge();
    void style();
    void showDamages(const QStringList& damages);

    Side m_side;
    PanelHeader* m_header;
    QToolButton* m_badge = nullptr; ///< Lies in the header; nullptr without a header.
    LatestTask m_job;
};

} // namespace helio
