#include "core/trace/stored/text_stacks.h"

#include <xxhash.h>

namespace helio {
namespace {

std::uint64_t hashOf(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

} // namespace

std::string javaScriptFunction(std::string_view name, std::int64_t line, std::int64_t column)
{
    std::string function(name.empty() ? "(anonymous)" : name);
    for (const std::int64_t place : {line, column})
        if (name.empty() && place >= 0 && place < INT32_MAX)
            function += ':' + std::to_string(place + 1);
    return function;
}

Module::Kind kindOfModule(std::string_view name)
{
    using enum Module::Kind;
    if (name.empty())
        return Unknown;
    if (name == "[vdso]" || name == "[vsyscall]")
        return Vdso;
    if (name.starts_with("[guest.kernel"))
        return GuestKernel;
    if (name.starts_with("[kernel") || name == "vmlinux" || name.ends_with("/vmlinux"))
        return Kernel;
    if (name == "[heap]" || name.starts_with("[stack") || name.starts_with("//anon") || name.starts_with("anon_inode:"))
        return Anonymous;
    if (name.starts_with("/tmp/perf-") && name.ends_with(".map"))
        return Anonymous;
    if (name.starts_with("bpf_prog_") || name.starts_with("bpf_trampoline_") || name.starts_with("bpf_dispatcher_"))
        return KernelOther;
    if ((name.front() == '[' && name.back() == ']') || name.ends_with(".ko") || name.find(".ko.") != std::string_view::npos)
        return KernelModule;
    return File;
}

TextStacks::TextStacks()
    : m_names(std::make_shared<RecordedNames>())
    , m_modules(1)
    , m_tree(1)
{
}

ModuleId TextStacks::moduleOf(std::string_view path, Module::Kind kind)
{
    const std::uint32_t index = m_moduleIndex.findOrAdd(mixed(hashOf(path), static_cast<std::uint64_t>(kind)), [&](std::uint32_t i) {
        return m_modules[i + 1].path == path && m_modules[i + 1].kind == kind;
    });
    if (index + 1 == m_modules.size()) {
        Module& module = m_modules.emplace_back();
        module.path = path;
        module.kind = kind;
        module.names = m_names;
    }
    return ModuleId{index + 1};
}

ModuleId TextStacks::addModule(Module module)
{
    m_moduleIndex.findOrAdd(m_modules.size(), [](std::uint32_t) { return false; });
    m_modules.push_back(std::move(module));
    return ModuleId{static_cast<std::uint32_t>(m_modules.size() - 1)};
}

std::uint32_t TextStacks::indexOf(std::string_view text)
{
    const std::uint32_t index = m_textIndex.findOrAdd(hashOf(text), [&](std::uint32_t i) { return m_texts[i] == text; });
    if (index == m_texts.size())
        m_texts.emplace_back(text);
    return index;
}

std::uint64_t TextStacks::numberOf(ModuleId module, const RecordedName& name)
{
    const Name key{module, indexOf(name.function), indexOf(name.file), name.line, name.offset.value_or(~std::uint64_t{0}), name.isInlined};
    const std::uint64_t hash =
        mixed(mixed(std::uint64_t(key.function) << 32 | static_cast<std::uint32_t>(module), key.offset * 2 + key.isInlined),
              std::uint64_t(key.file) << 32 | key.line);
    const std::uint32_t index = m_nameIndex.findOrAdd(hash, [&](std::uint32_t i) {
        const Name& other = m_distinctNames[i];
        return other.module == key.module && other.function == key.function && other.offset == key.offset
            && other.isInlined == key.isInlined && other.file == key.file && other.line == key.line;
    });
    if (index == m_distinctNames.size()) {
        m_distinctNames.push_back(key);
        m_names->add(name);
    }
    return index;
}

std::uint32_t TextStacks::addFrame(const ParsedFrame& text, Module::Kind kind)
{
    Frame frame;
    frame.isInlined = text.isInlined;
    frame.address = text.address.value_or(0);
    // If the text has neither a function nor a module, leave the module UnknownModule.
    if (!text.module.empty() || !text.function.empty()) {
        frame.module = moduleOf(text.module, kind);
        frame.nameIndex = numberOf(frame.module, {text.function, text.offset, text.isInlined, text.file, text.line});
    }
    m_frames.push_back(frame);
    return static_cast<std::uint32_t>(m_frames.size() - 1);
}

std::uint32_t TextStacks::addAddress(ModuleId module, std::uint64_t address)
{
    Frame frame;
    frame.module = module;
    frame.nameIndex = address;
    m_frames.push_back(frame);
    return static_cast<std::uint32_t>(m_frames.size() - 1);
}

std::int64_t TextStacks::findOrAddFrame(std::string_view line, Parse parse)
{
    const std::uint32_t index = m_lineIndex.findOrAdd(hashOf(line), [&](std::uint32_t i) { return m_lines[i].text == line; });
    if (index < m_lines.size())
        return m_lines[index].frame == NoFrame ? -1 : std::int64_t(m_lines[index].frame);
    ParsedFrame text;
    Module::Kind kind = Module::Kind::Unknown;
    const bool isFrame = line.find('\0') == std::string_view::npos && parse(line, text, kind);
    m_lines.push_back({line, isFrame ? addFrame(text, kind) : NoFrame});
    return isFrame ? std::int64_t(m_lines.back().frame) : -1;
}

std::uint32_t TextStacks::call(std::uint32_t caller, std::uint32_t frame, bool& isCut)
{
    const Frame& it = m_frames[frame];
    const std::uint64_t hash = mixed(std::uint64_t(caller) << 32 | static_cast<std::uint32_t>(it.module), it.nameIndex);
    const auto isSame = [&](std::uint32_t i) {
        const RecordedFrame& other = m_tree[i + 1];
        return other.caller == caller && other.address == it.nameIndex && other.module == it.module;
    };
    if (m_tree.size() >= MostNodes) {
        const auto known = m_treeIndex.find(hash, isSame);
        isCut |= !known;
        return known ? *known + 1 : caller;
    }
    const std::uint32_t index = m_treeIndex.findOrAdd(hash, isSame);
    if (index + 1 == m_tree.size())
        m_tree.push_back({caller, it.module, it.nameIndex});
    return index + 1;
}

std::uint32_t TextStacks::stackOf(std::span<const std::uint32_t> innermostFirst, bool& isCut)
{
    std::uint32_t stack = 0;
    std::uint32_t callerFrame = NoFrame;
    for (auto it = innermostFirst.rbegin(); it != innermostFirst.rend(); ++it) {
        std::uint32_t frame = *it;
        // Inlined code is in the same module as the function into which it was inlined, which is the caller at the same address.
        if (callerFrame != NoFrame && m_frames[frame].isInlined) {
            const Frame& caller = m_frames[callerFrame];
            if (caller.address == m_frames[frame].address && caller.module != UnknownModule && m_frames[frame].module != caller.module)
                frame = copyToModule(frame, caller.module);
        }
        stack = call(stack, frame, isCut);
        callerFrame = frame;
    }
    return stack;
}

/// Returns a copy of the frame in another module, made at the first call.
std::uint32_t TextStacks::copyToModule(std::uint32_t frame, ModuleId module)
{
    const std::uint32_t index = m_movedIndex.findOrAdd(mixed(frame, static_cast<std::uint64_t>(module)), [&](std::uint32_t i) {
        return m_moved[i].from == frame && m_moved[i].module == module;
    });
    if (index == m_moved.size()) {
        Frame moved = m_frames[frame];
        // The frame "[unknown] (inlined)" has no name.
        const RecordedName name = moved.module == UnknownModule ? RecordedName{{}, {}, true} : m_names->at(moved.nameIndex);
        const std::string function(name.function); // Copy the texts: numberOf() adds names, which may invalidate the views in `name`.
        moved.module = module;
        const std::string file(name.file);
        moved.nameIndex = numberOf(module, {function, name.offset, name.isInlined, file, name.line});
        m_frames.push_back(moved);
        m_moved.push_back({frame, module, static_cast<std::uint32_t>(m_frames.size() - 1)});
    }
    return m_moved[index].to;
}

} // namespace helio
