#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/compare/side_look.h"

#include <QWidget>

#include <memory>

class QToolButton;

namespace helio {

class PanelHeader;
struct Timeline;

/// A rail in the side's colour along the left edge of what belongs to it. It dresses the header of its panels with the side's letter, what
/// it is, and a badge where the recording itself is not whole. UI thread.
class SideFrame : public QWidget {
    Q_OBJECT

public:
    /// `content` becomes its child. `header` lies in it; null: none.
    SideFrame(Side side, QWidget* content, PanelHeader* header, QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& remark);
    /// Whose damages the badge counts and its tooltip lists: what was lost, cut off or unusual. Null: none.
    void setTimeline(std::shared_ptr<const Timeline> timeline);

signals:
    void messagesRequested(); ///< The badge was clicked.

private:
    void paintEvent(QPaintEvent* event) override;
    void makeBadge();
    void style();
    void showDamages(const QStringList& damages);

    Side m_side;
    PanelHeader* m_header;
    QToolButton* m_badge = nullptr; ///< In the header; null without one.
    LatestJob m_job;
};

} // namespace helio
