#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// The line at the window's foot: what is visible and selected at the left; work in progress and warnings at the right.
class StatusBar : public QWidget {
    Q_OBJECT

public:
    explicit StatusBar(QWidget* parent = nullptr);

    void setWindow(const QString& text);
    void setSpan(const QString& text);
    void setSelected(const QString& text);
    void setCursorTime(const QString& text);
    /// What else there is to know at all times; not there while empty.
    void setNote(const QString& name, const QString& text);
    /// What is good to know, at the right; a click leads to more. Not there while empty. `isDoubtful`: it is not good.
    void setFact(const QString& name, const QString& text, const QString& tip, bool isDoubtful = false);
    void setWarnings(int count, int errors = 0); ///< `errors`: of those.
    /// A short remark beside the numbers: "Copied". It goes after some seconds.
    void say(const QString& text);

    /// Work in progress: what, how far (0 to 1; below 0: not known) and "412 of 664, 3 s left". Shown after 300 ms, kept 500 ms at least.
    void showProgress(const QString& what, double share, const QString& rest);
    void endProgress();

signals:
    void cancelRequested();
    void warningsClicked();
    void factClicked();

private:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void updateLook();
    QLabel* addField(const QString& name);

    QList<QLabel*> m_names;
    QLabel* m_window;
    QLabel* m_span;
    QLabel* m_selected;
    QLabel* m_cursor;
    QLabel* m_noteName = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_remark;
    QWidget* m_progress;
    QLabel* m_what;
    QLabel* m_rest;
    class Bar;
    Bar* m_bar;
    QToolButton* m_cancel;
    QToolButton* m_warnings;
    QToolButton* m_fact;
    class QTimer* m_show;
    class QTimer* m_hide;
    class QTimer* m_quiet;
    bool m_hasErrors = false;
    bool m_isFactDoubtful = false;
};

} // namespace helio
