#pragma once

#include "widgets/compare/side_look.h"
#include "widgets/work/latest_job.h"

#include <QWidget>

#include <memory>

class QToolButton;

namespace helio {

struct Timeline;

/// A rail in the side's colour along the left edge of what belongs to it, and, where there is a title, a line on top with the side's
/// letter, what it is, a remark, and a badge where the recording itself is not whole. UI thread.
class SideFrame : public QWidget {
    Q_OBJECT

public:
    static constexpr int HeaderHeight = 24;

    /// `content` becomes its child.
    SideFrame(Side side, QWidget* content, bool hasHeader, QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& remark);
    /// Whose damages the badge tells: what was lost, cut off or unusual. Null: none.
    void setTimeline(std::shared_ptr<const Timeline> timeline);

signals:
    void messagesRequested(); ///< The badge was clicked.

private:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QRect titleRect() const;
    QRect remarkRect() const;
    void showDamages(const QStringList& damages);
    void placeBadge();

    Side m_side;
    bool m_hasHeader;
    QString m_title;
    QString m_remark;
    QToolButton* m_badge;
    LatestJob m_job;
};

} // namespace helio
