#pragma once

#include <QLabel>
#include <QWidget>

class QToolButton;

namespace helio {

/// A bar across the window that says what is wrong and offers actions, until the problem is solved or the user dismisses it. Hidden while
/// there is no notice.
class NoticeBar : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);

    /// Turns the bar into a task: it says what the user is to do now, and closing it gives the task up.
    void setTask();
    void setCloseTip(const QString& tip); ///< Tooltip of the close button. By default it says that Messages keeps the notice.
    /// `links`: references and texts of the offered actions. An empty text hides the bar. A notice that the user dismissed stays hidden
    /// until its text or links change.
    void setNotice(const QString& text, const QList<QPair<QString, QString>>& links);
    const QString& text() const { return m_text; }

signals:
    void linkActivated(const QString& reference);
    void closed(); ///< The user closed the bar.

private:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void updateLook();
    void elide();

    bool m_isTask = false;
    QString m_text;
    QList<QPair<QString, QString>> m_wanted;
    QLabel* m_icon;
    QLabel* m_what;
    QLabel* m_links;
    QToolButton* m_close;
};

} // namespace helio
