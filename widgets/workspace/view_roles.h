#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QWidget>

#include <algorithm>
#include <iterator>
#include <utility>

class QMenu;

namespace helio {

/// Interface of views whose choices are saved in session files.
class SavedViewState {
public:
    virtual ~SavedViewState() = default;

    virtual QJsonObject save() const = 0;
    /// Restores choices that save() returned, possibly in another version. Missing or invalid values get their defaults.
    virtual void restore(const QJsonObject& kept) = 0;
};

/// Value of an enumeration with its name in session files.
template <typename Enum> using FileWord = std::pair<Enum, const char*>;

template <typename Enum, std::size_t Count> QString fileWord(Enum value, const FileWord<Enum> (&words)[Count])
{
    return QString::fromLatin1(std::ranges::find(words, value, &FileWord<Enum>::first)->second);
}

/// Returns the value with the name `word`; the first value if the name is unknown.
template <typename Enum, std::size_t Count> Enum valueOf(const QJsonValue& word, const FileWord<Enum> (&words)[Count])
{
    const auto found = std::ranges::find_if(words, [text = word.toString()](const auto& it) { return text == QLatin1String(it.second); });
    return found == std::end(words) ? words[0].first : found->first;
}

/// Interface of views with a search field for their contents.
class Searchable {
public:
    virtual ~Searchable() = default;

    virtual void focusSearch() = 0;
};

/// Returns the searchable view that contains `widget`; nullptr if there is none.
inline Searchable* searchableAround(QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (auto* view = dynamic_cast<Searchable*>(widget))
            return view;
    return nullptr;
}

/// Interface of views whose menus are also offered by the command palette.
class MenuProvider {
public:
    virtual ~MenuProvider() = default;

    /// Adds the current items of the view's menus to `menu`. They are valid until the next call.
    virtual void fillOfferedMenus(QMenu& menu) = 0;
};

} // namespace helio
