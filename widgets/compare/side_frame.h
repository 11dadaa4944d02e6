#pragma once

#include "widgets/compare/side_look.h"

#include <QWidget>

namespace helio {

/// A rail in the side's colour along the left edge of what belongs to it, and, where there is a title, a line on top with the side's
/// letter, what it is and a remark. UI thread.
class SideFrame : public QWidget {
    Q_OBJECT

public:
    static constexpr int HeaderHeight = 24;

    /// `content` becomes its child.
    SideFrame(Side side, QWidget* content, bool hasHeader, QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& remark);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Side m_side;
    bool m_hasHeader;
    QString m_title;
    QString m_remark;
};

} // namespace helio
