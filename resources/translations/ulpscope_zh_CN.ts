<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ulp::app::DropOverlay</name>
    <message>
        <source>Drop a run folder, a report or a study</source>
        <translation>将运行文件夹、报告或实验拖放到此处</translation>
    </message>
</context>
<context>
    <name>ulp::app::MainWindow</name>
    <message>
        <source>New study</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Open a report or a study</source>
        <translation>打开报告或实验</translation>
    </message>
    <message>
        <source>Reports and studies (*.json *.yaml *.yml)</source>
        <translation>报告和实验 (*.json *.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the study</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Studies (*.yaml *.yml)</source>
        <translation>实验 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>A study is running. What it has finished stays in its run folder.</source>
        <translation>有实验正在运行。已完成的部分会保留在其运行文件夹中。</translation>
    </message>
    <message>
        <source>Stop it and quit</source>
        <translation>停止并退出</translation>
    </message>
    <message>
        <source>%1 has edits that are not saved.</source>
        <translation>%1 有未保存的修改。</translation>
    </message>
    <message>
        <source>Discard edits and quit</source>
        <translation>放弃修改并退出</translation>
    </message>
    <message>
        <source>Quit Ulpscope</source>
        <translation>退出 Ulpscope</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;New study</source>
        <translation>新建实验(&amp;N)</translation>
    </message>
    <message>
        <source>Make a study from the template</source>
        <translation>从模板新建实验</translation>
    </message>
    <message>
        <source>&amp;Save study</source>
        <translation>保存实验(&amp;S)</translation>
    </message>
    <message>
        <source>Save the open study</source>
        <translation>保存打开的实验</translation>
    </message>
    <message>
        <source>&amp;Reload report</source>
        <translation>重新加载报告(&amp;R)</translation>
    </message>
    <message>
        <source>Read the open report again</source>
        <translation>重新读取打开的报告</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>&amp;Run study</source>
        <translation>运行实验(&amp;R)</translation>
    </message>
    <message>
        <source>Save and run the open study</source>
        <translation>保存并运行打开的实验</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Stop what is running; what is finished stays</source>
        <translation>停止正在运行的任务；已完成的部分会保留</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>Back to the previous selection</source>
        <translation>返回上一个选择</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>Forward to the next selection</source>
        <translation>前进到下一个选择</translation>
    </message>
    <message>
        <source>&amp;Restore default layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put all views back to their places</source>
        <translation>将所有视图放回原位</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open r&amp;ecent</source>
        <translation>打开最近的文件(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Ulpscope</source>
        <translation>关于 Ulpscope(&amp;A)</translation>
    </message>
    <message>
        <source>About Ulpscope</source>
        <translation>关于 Ulpscope</translation>
    </message>
    <message>
        <source>Ulpscope %1
Where does a language model lose its bits?

Qt %2</source>
        <translation>Ulpscope %1
语言模型的精度在哪里丢失？

Qt %2</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（不存在）</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>&amp;Metric</source>
        <translation>指标(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Pass</source>
        <translation>传播方向(&amp;P)</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>%1, which was open in the last session, is gone.</source>
        <translation>上次会话中打开的 %1 已不存在。</translation>
    </message>
    <message>
        <source>Open the folder of a run</source>
        <translation>打开运行文件夹</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>打开文件夹(&amp;F)…</translation>
    </message>
</context>
<context>
    <name>ulp::app::MetricBox</name>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Metric of all views</source>
        <translation>所有视图的指标</translation>
    </message>
</context>
<context>
    <name>ulp::app::PassBox</name>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Passes that the views show</source>
        <translation>各视图显示的传播方向</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>前向和反向</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>参数梯度</translation>
    </message>
</context>
<context>
    <name>ulp::app::Settings</name>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Files and session</source>
        <translation>文件与会话</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Colours of the window and of all charts.</source>
        <translation>窗口和所有图表的颜色。</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>In percent of the system&apos;s; everything else grows with the text.</source>
        <translation>相对于系统文字大小的百分比；其他内容随文字一同缩放。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Holds from the next start on.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Continue where I left off</source>
        <translation>从上次离开的地方继续</translation>
    </message>
    <message>
        <source>Opens the report and the study of the last session when the program starts.</source>
        <translation>程序启动时打开上次会话的报告和实验。</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>How many are listed; 0 remembers none.</source>
        <translation>列出的数量；0 表示不记录。</translation>
    </message>
    <message>
        <source>Keys of a single letter</source>
        <translation>单字母快捷键</translation>
    </message>
    <message>
        <source>L, N, ? and the like act while a chart or a table has the focus.</source>
        <translation>当图表或表格获得焦点时，L、N、? 等按键起作用。</translation>
    </message>
</context>
<context>
    <name>ulp::app::StartPage</name>
    <message>
        <source>Open a report…</source>
        <translation>打开报告…</translation>
    </message>
    <message>
        <source>A run folder, precision_report.json, or a study. Or drop it here.</source>
        <translation>运行文件夹、precision_report.json 或实验。也可以拖放到此处。</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Choose a model and the precisions to compare.</source>
        <translation>选择模型和要比较的精度。</translation>
    </message>
    <message>
        <source>Example: SmolLM2-135M</source>
        <translation>示例：SmolLM2-135M</translation>
    </message>
    <message>
        <source>A real report, to look around in.</source>
        <translation>一份真实的报告，供您浏览。</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Where does a language model lose its bits?</source>
        <translation>语言模型的精度在哪里丢失？</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（不存在）</translation>
    </message>
</context>
<context>
    <name>ulp::app::StatusLine</name>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>%1 has finished.</source>
        <translation>%1 已完成。</translation>
    </message>
    <message>
        <source>%1 has failed.</source>
        <translation>%1 失败。</translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation>%1 已停止。</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>正在运行 %1</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待中</translation>
    </message>
</context>
<context>
    <name>ulp::app::WindowTools</name>
    <message>
        <source>&amp;Command palette…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Find a command by a few of its letters and run it</source>
        <translation>键入几个字母查找命令并运行</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Show all keys at a glance</source>
        <translation>查看所有按键</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Theme, text size, language, shortcuts</source>
        <translation>主题、文字大小、语言、快捷键</translation>
    </message>
    <message>
        <source>Ne&amp;xt panel</source>
        <translation>下一个面板(&amp;X)</translation>
    </message>
    <message>
        <source>Move the keyboard to the next panel</source>
        <translation>将键盘焦点移到下一个面板</translation>
    </message>
    <message>
        <source>Pre&amp;vious panel</source>
        <translation>上一个面板(&amp;V)</translation>
    </message>
    <message>
        <source>Move the keyboard to the previous panel</source>
        <translation>将键盘焦点移到上一个面板</translation>
    </message>
    <message>
        <source>&amp;Tensor or variant…</source>
        <translation>张量或变体(&amp;T)…</translation>
    </message>
    <message>
        <source>Find a tensor or a variant by a few letters of its name</source>
        <translation>键入名称中的几个字母查找张量或变体</translation>
    </message>
    <message>
        <source>&amp;Parent module</source>
        <translation>上级模块(&amp;P)</translation>
    </message>
    <message>
        <source>The module that contains the selected tensor</source>
        <translation>包含所选张量的模块</translation>
    </message>
    <message>
        <source>Same tensor in the &amp;next block</source>
        <translation>下一个块中的同名张量(&amp;N)</translation>
    </message>
    <message>
        <source>The tensor of the same kind in the next block</source>
        <translation>下一个块中的同类张量</translation>
    </message>
    <message>
        <source>Same tensor in the pre&amp;vious block</source>
        <translation>上一个块中的同名张量(&amp;V)</translation>
    </message>
    <message>
        <source>The tensor of the same kind in the previous block</source>
        <translation>上一个块中的同类张量</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Type a few letters of a command</source>
        <translation>键入命令中的几个字母</translation>
    </message>
    <message>
        <source>No command is called that.</source>
        <translation>没有符合的命令。</translation>
    </message>
    <message>
        <source>Go to tensor or variant</source>
        <translation>转到张量或变体</translation>
    </message>
    <message>
        <source>Type a few letters of a tensor or a variant</source>
        <translation>键入张量或变体名称中的几个字母</translation>
    </message>
    <message>
        <source>The report has no tensor or variant of that name.</source>
        <translation>报告中没有该名称的张量或变体。</translation>
    </message>
    <message>
        <source>keyboard shortcuts commands keys import export</source>
        <translation>键盘 快捷键 命令 按键 导入 导出</translation>
    </message>
</context>
<context>
    <name>ulp::views::ActionCatalog</name>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthAxis</name>
    <message>
        <source>emb</source>
        <translation>emb</translation>
    </message>
    <message>
        <source>head</source>
        <translation>head</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>全部行</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthChart</name>
    <message>
        <source>Forward →</source>
        <translation>前向 →</translation>
    </message>
    <message>
        <source>Backward →</source>
        <translation>反向 →</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>参数梯度</translation>
    </message>
    <message>
        <source>RMS of the reference</source>
        <translation>参考的 RMS</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>…以及另外 %1 个</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 个非有限</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthView</name>
    <message>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <source>Scale of the reference</source>
        <translation>参考的量级</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rows of the depth axis: layers, every row, or one module in all layers</source>
        <translation>深度轴上的行：各层、全部行，或所有层中的同一模块</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>暂无可比较的内容</translation>
    </message>
    <message>
        <source>Curves appear here as soon as the first variant has finished.</source>
        <translation>第一个变体完成后，曲线会显示在这里。</translation>
    </message>
    <message>
        <source>Here the error of every variant is drawn along the depth of the model, forward and backward.</source>
        <translation>这里沿模型深度绘制每个变体的误差，包括前向和反向。</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Error along the depth of the model</source>
        <translation>沿模型深度的误差</translation>
    </message>
</context>
<context>
    <name>ulp::views::Details</name>
    <message>
        <source>Elements of the variant; those of the reference in brackets.</source>
        <translation>变体的元素数；括号内为参考的元素数。</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>%1, all compared</source>
        <translation>%1，全部已比较</translation>
    </message>
    <message>
        <source>%1, %2 compared</source>
        <translation>%1，已比较 %2</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
</context>
<context>
    <name>ulp::views::DetailsView</name>
    <message>
        <source>Metrics of the tensor</source>
        <translation>张量的指标</translation>
    </message>
    <message>
        <source>Elements of largest difference</source>
        <translation>差异最大的元素</translation>
    </message>
    <message>
        <source>No tensor is selected</source>
        <translation>未选择张量</translation>
    </message>
    <message>
        <source>Click a cell of the overview, a point of a chart, or a row of the table.</source>
        <translation>请单击概览中的单元格、图表中的点或表格中的行。</translation>
    </message>
    <message>
        <source>No report is open</source>
        <translation>未打开报告</translation>
    </message>
    <message>
        <source>Here the selected tensor is shown.</source>
        <translation>这里显示所选的张量。</translation>
    </message>
    <message>
        <source>Largest differences in %1</source>
        <translation>%1 中的最大差异</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Everything that is known of the selected tensor</source>
        <translation>所选张量的全部信息</translation>
    </message>
</context>
<context>
    <name>ulp::views::EmptyState</name>
    <message>
        <source>No report is open</source>
        <translation>未打开报告</translation>
    </message>
    <message>
        <source>Open a report…</source>
        <translation>打开报告…</translation>
    </message>
</context>
<context>
    <name>ulp::views::FrozenColumn</name>
    <message>
        <source>First column, always in sight</source>
        <translation>始终可见的首列</translation>
    </message>
</context>
<context>
    <name>ulp::views::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>ulp::views::MetricText</name>
    <message>
        <source>Lower is better.</source>
        <translation>越低越好。</translation>
    </message>
    <message>
        <source>Higher is better.</source>
        <translation>越高越好。</translation>
    </message>
</context>
<context>
    <name>ulp::views::Overview</name>
    <message>
        <source>%1 is not finite from %2, %3: %4 of %5 elements</source>
        <translation>%1 从 %2（%3）起出现非有限值：%5 个元素中有 %4 个</translation>
    </message>
    <message>
        <source> (so is another variant, not earlier)</source>
        <translation>（另有一个变体也如此，但不更早）</translation>
    </message>
    <message>
        <source> (so are %1 other variants, not earlier)</source>
        <translation>（另有 %1 个变体也如此，但不更早）</translation>
    </message>
    <message>
        <source>%1 differs most: %2 (%3) at %4, %5</source>
        <translation>%1 的差异最大：%2（%3），位于 %4，%5</translation>
    </message>
    <message>
        <source>%1 elements are not finite</source>
        <translation>%1 个元素非有限</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>ulp::views::OverviewView</name>
    <message>
        <source>Here each variant has a row: where in the pass it loses precision, its loss and its time.</source>
        <translation>这里每个变体占一行：它在传播过程中何处丢失精度、其损失和用时。</translation>
    </message>
    <message>
        <source>Summary of the variants</source>
        <translation>变体汇总</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Where each variant loses precision, at a glance</source>
        <translation>一眼看清每个变体在何处丢失精度</translation>
    </message>
</context>
<context>
    <name>ulp::views::PalettePopup</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The best %1 of %2</source>
        <translation>最佳的 %1 项，共 %2 项</translation>
    </message>
    <message>
        <source>Matches: %1</source>
        <translation>匹配：%1</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportPalette</name>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunLauncher</name>
    <message>
        <source>%1 already holds results. Resume keeps finished runs and makes the missing ones; overwrite starts anew.</source>
        <translation>%1 中已有结果。“继续”保留已完成的运行并补上缺少的运行；“覆盖”则重新开始。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
</context>
<context>
    <name>ulp::views::Runs</name>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Study, run</source>
        <translation>实验、运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunsView</name>
    <message>
        <source>Nothing has been run</source>
        <translation>尚未运行任何实验</translation>
    </message>
    <message>
        <source>Open or make a study and run it: its progress and its log appear here.</source>
        <translation>打开或新建一个实验并运行：其进度和日志会显示在这里。</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop this job; what is finished stays</source>
        <translation>停止此任务；已完成的部分会保留</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Run this job again; finished runs are kept</source>
        <translation>重新运行此任务；已完成的运行会保留</translation>
    </message>
    <message>
        <source>Show results</source>
        <translation>显示结果</translation>
    </message>
    <message>
        <source>Open the report of this job</source>
        <translation>打开此任务的报告</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Filter log</source>
        <translation>筛选日志</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>The queue of studies and their log</source>
        <translation>实验队列及其日志</translation>
    </message>
</context>
<context>
    <name>ulp::views::SettingsDialog</name>
    <message>
        <source>No setting is called that.</source>
        <translation>没有符合的设置。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Kept in %1</source>
        <translation>保存于 %1</translation>
    </message>
    <message>
        <source>&amp;Reset this page</source>
        <translation>重置此页(&amp;R)</translation>
    </message>
    <message>
        <source>All settings of this page back to their defaults</source>
        <translation>将此页的所有设置恢复为默认值</translation>
    </message>
</context>
<context>
    <name>ulp::views::SettingsStore</name>
    <message>
        <source>settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>%1 (%2) could not be read. It was kept as %3, and the program starts with what it brings.</source>
        <translation>无法读取 %1（%2）。已将其另存为 %3，程序以默认值启动。</translation>
    </message>
    <message>
        <source>%1 (%2) could not be read and could not be set aside: %3. The program starts with what it brings.</source>
        <translation>无法读取 %1（%2），也无法将其移开：%3。程序以默认值启动。</translation>
    </message>
</context>
<context>
    <name>ulp::views::Severity</name>
    <message>
        <source>fine</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>look</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>异常</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutEditor</name>
    <message>
        <source>Shortcuts (*.json)</source>
        <translation>快捷键 (*.json)</translation>
    </message>
    <message>
        <source>&amp;Assign</source>
        <translation>指定(&amp;A)</translation>
    </message>
    <message>
        <source>No &amp;keys</source>
        <translation>无按键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Default</source>
        <translation>默认(&amp;D)</translation>
    </message>
    <message>
        <source>All to de&amp;faults</source>
        <translation>全部恢复默认(&amp;F)</translation>
    </message>
    <message>
        <source>Search for a command or a key</source>
        <translation>搜索命令或按键</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>命令及其按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新按键</translation>
    </message>
    <message>
        <source>Who has these keys</source>
        <translation>这些按键的归属</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;New keys:</source>
        <translation>新按键(&amp;N)：</translation>
    </message>
    <message>
        <source>By default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”. Choose other keys, or take them from there first.</source>
        <translation>%1 已属于“%2”。请选择其他按键，或先从该命令中移除。</translation>
    </message>
    <message>
        <source>Import shortcuts</source>
        <translation>导入快捷键</translation>
    </message>
    <message>
        <source>Export shortcuts</source>
        <translation>导出快捷键</translation>
    </message>
    <message>
        <source>Imported from %1.</source>
        <translation>已从 %1 导入。</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutScheme</name>
    <message>
        <source>This is not a scheme of shortcuts: “format” must be “%1”.</source>
        <translation>这不是快捷键方案：“format”必须为“%1”。</translation>
    </message>
    <message>
        <source>%1: “%2” names no key.</source>
        <translation>%1：“%2”不是有效的按键。</translation>
    </message>
    <message>
        <source>“%1” and “%2” would share %3. Nothing was changed.</source>
        <translation>“%1”和“%2”将共用 %3。未做任何更改。</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutSheet</name>
    <message>
        <source>In every chart</source>
        <translation>所有图表中</translation>
    </message>
    <message>
        <source>Previous or next tensor</source>
        <translation>上一个或下一个张量</translation>
    </message>
    <message>
        <source>Previous or next variant</source>
        <translation>上一个或下一个变体</translation>
    </message>
    <message>
        <source>First or last tensor</source>
        <translation>第一个或最后一个张量</translation>
    </message>
    <message>
        <source>Zoom in or out</source>
        <translation>放大或缩小</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Go deeper</source>
        <translation>深入查看</translation>
    </message>
    <message>
        <source>Keyboard shortcuts of Ulpscope</source>
        <translation>Ulpscope 键盘快捷键</translation>
    </message>
    <message>
        <source>No shortcut is called that.</source>
        <translation>没有符合的快捷键。</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Search for a command or a key</source>
        <translation>搜索命令或按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
</context>
<context>
    <name>ulp::views::SiteText</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>parameter gradient</source>
        <translation>参数梯度</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyView</name>
    <message>
        <source>No study is open</source>
        <translation>未打开实验</translation>
    </message>
    <message>
        <source>A study says which model runs on which input, and in which precisions.</source>
        <translation>实验说明哪个模型以哪些精度在哪些输入上运行。</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the study</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Save and run the study</source>
        <translation>保存并运行实验</translation>
    </message>
    <message>
        <source>Study as YAML</source>
        <translation>YAML 格式的实验</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Overrides</source>
        <translation>覆盖项</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Variants of the study</source>
        <translation>实验的变体</translation>
    </message>
    <message>
        <source>The study of this report, as it was run</source>
        <translation>此报告的实验（运行时的内容）</translation>
    </message>
    <message>
        <source>New study, not saved yet</source>
        <translation>新实验，尚未保存</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1，已修改</translation>
    </message>
    <message>
        <source>%1 variants</source>
        <translation>%1 个变体</translation>
    </message>
    <message>
        <source>%1 Ready to run. Results go to %2</source>
        <translation>%1 可以运行。结果将保存到 %2</translation>
    </message>
    <message>
        <source>%1 Problems: %2</source>
        <translation>%1 问题：%2</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Model, input and variants as YAML</source>
        <translation>以 YAML 表示的模型、输入和变体</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableClipboard</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableView</name>
    <message>
        <source>Here every tensor has a row with all its metrics, to filter, sort and copy.</source>
        <translation>这里每个张量占一行，列出其全部指标，可筛选、排序和复制。</translation>
    </message>
    <message>
        <source>All tensors</source>
        <translation>所有张量</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Current variant</source>
        <translation>当前变体</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>所有变体</translation>
    </message>
    <message>
        <source>Variants in the table</source>
        <translation>表格中的变体</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>not a valid expression</source>
        <translation>表达式无效</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 个张量</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Every tensor with every metric</source>
        <translation>所有张量的所有指标</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorTableModel</name>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播方向</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::DepthChart</name>
    <message>
        <source>Error by depth</source>
        <translation>各深度的误差</translation>
    </message>
    <message>
        <source>%1: no value</source>
        <translation>%1：无值</translation>
    </message>
    <message>
        <source>%1, %2 elements are not finite</source>
        <translation>%1，%2 个元素非有限</translation>
    </message>
    <message>
        <source>%1 by depth. Tensors: %2. Variants: %3. Arrows walk tensors and variants.</source>
        <translation>各深度的%1。张量：%2。变体：%3。方向键在张量和变体之间移动。</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::VariantLegend</name>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
</context>
</TS>
