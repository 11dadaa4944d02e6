#pragma once

#include <QLabel>
#include <QWidget>

class QToolButton;

namespace helio {

/// A line across the window that says what is wrong and what can be done, until it is right again or a person has seen it. Hidden while
/// there is nothing to say.
class NoticeBar : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);

    /// It says what is to be done now, not what is wrong; taking it away gives that up.
    void setTask();
    void setCloseTip(const QString& tip); ///< Where what it says is in no other place.
    /// `links`: references and words of what can be done. An empty text hides the line; one that was taken away stays away while it is the
    /// same.
    void setNotice(const QString& text, const QList<QPair<QString, QString>>& links);
    const QString& text() const { return m_text; }

signals:
    void linkActivated(const QString& reference);
    void closed(); ///< By a person.

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
