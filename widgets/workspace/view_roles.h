#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QWidget>

#include <algorithm>
#include <iterator>
#include <utility>

class QMenu;

namespace helio {

/// A view with choices that session files keep.
class SavedViewState {
public:
    virtual ~SavedViewState() = default;

    virtual QJsonObject save() const = 0;
    /// Restores choices from save() or from a session file of another origin. Values that are absent or invalid get their defaults.
    virtual void restore(const QJsonObject& kept) = 0;
};

/// A value of an enumeration and its word in session files.
template <typename Enum> using FileWord = std::pair<Enum, const char*>;

template <typename Enum, std::size_t Count> QString fileWord(Enum value, const FileWord<Enum> (&words)[Count])
{
    return QString::fromLatin1(std::ranges::find(words, value, &FileWord<Enum>::first)->second);
}

/// Returns the first value of `words` if the word is unknown.
template <typename Enum, std::size_t Count> Enum valueOf(const QJsonValue& word, const FileWord<Enum> (&words)[Count])
{
    const auto found = std::ranges::find_if(words, [text = word.toString()](const auto& it) { return text == QLatin1String(it.second); });
    return found == std::end(words) ? words[0].first : found->first;
}

/// A view with its own search field for its contents.
class Searchable {
public:
    virtual ~Searchable() = default;

    virtual void focusSearch() = 0;
};

/// Returns the view that contains `widget`; nullptr if there is none.
inline Searchable* searchableAround(QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (auto* view = dynamic_cast<Searchable*>(widget))
            return view;
    return nullptr;
}

/// A view with menus that the command palette offers as well.
class MenuProvider {
public:
    virtual ~MenuProvider() = default;

    /// Fills `menu` with the current items of the view's menus. They are valid until the next call.
    virtual void fillOfferedMenus(QMenu& menu) = 0;
};

} // namespace helio
