#pragma once

#include <QLabel>
#include <QWidget>

class QToolButton;

namespace helio {

/// Bar across the window that describes a problem and offers actions, until the problem is solved or the user dismisses the bar. Hidden
/// while there is no notice.
class NoticeBar : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);

    /// Makes the bar a task: it says what the user has to do next, and closing the bar cancels the task.
    void setTask();
    void setCloseTip(const QString& tip); ///< Sets the tooltip of the close button. By default it says that the notice stays in Messages.
    /// Sets text and actions of the bar. `links`: reference and text of each action. An empty text hides the bar. A notice that the user
    /// dismissed stays hidden until its text or links change.
    void setNotice(const QString& text, const QList<QPair<QString, QString>>& links);
    const QString& text() const { return m_text; }

signals:
    void linkActivated(const QString& reference);
    void closed(); ///< Emitted when the user closes the bar.

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
