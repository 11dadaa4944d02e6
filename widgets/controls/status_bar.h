#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QToolButton;

namespace helio {

/// The bar at the window's bottom: visible range and selection at the left; work in progress and warnings at the right. If there is not
/// enough room, texts of remarks and of work are elided, and then fields at the left are hidden. The cursor's field and the buttons stay.
class StatusBar : public QWidget {
    Q_OBJECT

public:
    explicit StatusBar(QWidget* parent = nullptr);

    void setWindow(const QString& text);
    void setSpan(const QString& text);
    void setSelected(const QString& text);
    void setCursorTime(const QString& text);
    /// Sets the text of an additional permanent field at the left, identified by `name`. An empty text hides the field.
    void setNote(const QString& name, const QString& text);
    /// Sets a button at the right, identified by `name`, which shows `text` with a tick, or with a warning sign if `isDoubtful`. A click
    /// emits factClicked(). An empty text hides the button.
    void setFact(const QString& name, const QString& text, const QString& tip, bool isDoubtful = false);
    void setWarnings(int count, int errors = 0); ///< Sets the number of warnings; `errors` of `count` are errors.
    /// Shows a short remark for a few seconds, e.g. "Copied".
    void say(const QString& text);

    /// Shows work in progress. `share`: progress from 0 to 1, below 0 if unknown. `rest`: details, e.g. "412 of 664, 3 s left". The display
    /// appears after 300 ms and stays for at least 500 ms. `cancel`: stops this work; called when the user clicks the button beside it.
    void showProgress(const QString& what, double share, const QString& rest, std::function<void()> cancel);
    void endProgress();
    void cancelWork(); ///< Stops the work in progress that is shown, as the button does; does nothing if there is none.

signals:
    void warningsClicked();
    void factClicked();

private:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QSize minimumSizeHint() const override { return {0, height()}; }
    void fit();
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
    std::function<void()> m_cancelWork; ///< Stops the work that is shown; empty if no work is running.
    QToolButton* m_warnings;
    QToolButton* m_fact;
    class QTimer* m_show;
    class QTimer* m_hide;
    class QTimer* m_quiet;
    bool m_hasErrors = false;
    bool m_isFactDoubtful = false;
    bool m_isFitting = false;
};

} // namespace helio
