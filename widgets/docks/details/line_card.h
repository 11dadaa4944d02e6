#pragma once

#include <QWidget>

#include <optional>

namespace helio {

/// A painted card with lines, some of which can be followed: by a click, or by Enter and Space on the current line. Up, Down, Home and End
/// choose the current line while the card has the focus.
/// Threads: UI thread.
class LineCard : public QWidget {
    Q_OBJECT

public:
    explicit LineCard(QWidget* parent = nullptr);

    virtual std::size_t lineCount() const = 0;
    virtual QRect lineRect(std::size_t index) const = 0;
    virtual bool isFollowable(std::size_t index) const = 0;
    virtual QString words(std::size_t index) const = 0; ///< The whole text of a line, for accessibility and tooltips.
    /// Line that Enter follows; nullopt if no line can be followed.
    std::optional<std::size_t> current() const { return m_current; }

protected:
    /// Follows a line, which may replace the card's lines. Requires isFollowable(index).
    virtual void follow(std::size_t index) = 0;

    /// Must be called after the lines changed.
    void linesChanged(const QString& title);
    void paintGround(QPainter& painter, const QString& title) const;
    void paintFocus(QPainter& painter) const; ///< Paints a frame around the current line while the card has the focus.

    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

private:
    std::optional<std::size_t> lineAt(const QPoint& at) const;
    std::optional<std::size_t> nextLine(std::optional<std::size_t> from, bool isForward) const;
    void setCurrent(std::optional<std::size_t> line);

    std::optional<std::size_t> m_current;
};

} // namespace helio
